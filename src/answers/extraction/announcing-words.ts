import { HEDGES, LANGUAGES } from './announcing-languages.ts';

const WORD_END = '(?!(?<=[A-Za-zÀ-ɏА-я])[A-Za-zÀ-ɏА-я])';

/** How the language of an announcing noun leads from the noun to the answer. */
export interface Lead {
  final: boolean;
  bare: boolean;
  /** From the noun on: `… therefore is: `, `는 `, ` — `. */
  link: RegExp;
  /** The last verb in a statement, behind which its answer may stand. */
  verb: RegExp;
  /** Whether words that follow a number in this language are its unit. */
  english: boolean;
}

const LEADS = new Map<string, Lead>();
for (const language of LANGUAGES) {
  const between = alternatives([...language.between, HEDGES]);
  const links = language.links.length === 0 ? '' : `(?:${alternatives(language.links)})${WORD_END}|`;
  const link = new RegExp(
    `^[\\s*_)"”」』,]{0,6}(?:(?:${between})${WORD_END}[ ,]{0,2}){0,3}(?:${links}[:：=]|[—–-](?=\\s))(?:[\\s*_:：,]{0,6}(?:${HEDGES})${WORD_END}(?=[\\s:：*_\\p{Nd}$\\\\(-])){0,3}[\\s*_:：]{0,6}`,
    'iu',
  );
  const verbs = language.links.filter(
    (word) => word !== 'be' && word !== 'が' && word !== '이' && word !== '가',
  );
  const verb = new RegExp(
    `(?<![A-Za-zÀ-ɏА-я])(?:${alternatives([...verbs, '[=:：]'])})${WORD_END}\\s*`,
    'giu',
  );
  const english = language.nouns.includes('answer');
  for (const noun of [...language.nouns, ...language.final]) {
    LEADS.set(noun, {
      final: language.final.includes(noun),
      bare: language.bare === true || language.final.includes(noun),
      link,
      verb,
      english,
    });
  }
}

function alternatives(words: readonly string[]): string {
  return [...words].sort((a, b) => b.length - a.length).join('|');
}

/** Letters of the scripts in which some announcing noun is written, beyond ASCII. */
const FOREIGN = /[À-ɏЀ-ӿ؀-ۿऀ-ॿḀ-ỿ\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** The announcing nouns of a text: all of them or the final ones. */
export class NounPattern {
  readonly #ascii: RegExp;
  readonly #all: RegExp;

  constructor(finalOnly: boolean) {
    const nouns = [...LEADS].filter(([, lead]) => lead.final || !finalOnly).map(([noun]) => noun);
    const ascii = nouns.filter((noun) => !FOREIGN.test(noun));
    this.#ascii = new RegExp(`(?:${alternatives(ascii)})(?![A-Za-z])`, 'gi');
    this.#all = new RegExp(`(?:${alternatives(nouns)})${WORD_END}`, 'giu');
  }

  /** All matches in a part of a text; a text without foreign letters is searched for fewer nouns. */
  matches(part: string): RegExpExecArray[] {
    return [...part.matchAll(FOREIGN.test(part) ? this.#all : this.#ascii)];
  }
}

/** How an announcing noun leads to its answer. */
export function leadOf(noun: string): Lead | undefined {
  return LEADS.get(noun.toLowerCase());
}
