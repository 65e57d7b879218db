import { type Lead, leadOf, NounPattern } from './announcing-words.ts';

/** A value right after the announcing word. */
const BARE = /^[\s*_]{0,4}(?=[-−+]?[$€£¥₹]?\s?(?:\p{Nd}|\\(?:boxed|fbox|\(|\[)|\(\s?[-−]?\p{Nd}))/u;
/** What may follow the announcing word where it ends a heading, and what may stand before it there. */
const HEADING_END = /^[\s*_#:：]{0,8}(?:\n|$)/;
const HEADING_START = /^\s{0,3}(?:(?:#{1,6}|\*{1,2}|_{1,2})[\s*_]{0,4}[^\n]{0,24})?$/;

/** What makes an announcement a supposition: `if the answer is 9, then …`. */
const SUPPOSED =
  /(?:(?<![\p{L}])(?:if|suppos(?:e|ing)|assum(?:e|ing)|unless|whether|wenn|falls|si|se|если|jeśli|als|eğer|nếu|jika|إذا|अगर|यदि)|如果|假如|假设|もし|만약)(?:\s?(?:that|the|my|our|your|final|correct|right|die|la|le|el|il|o|a|de|das|het|câu)(?![\p{L}])|\s){0,6}$/iu;

/** What makes it somebody's error, or nobody's claim: `I doubt that the answer is 9`, `one might think the answer is 9`. */
const DOUBTED =
  /(?<![\p{L}])(?:doubt(?:s|ed|ful)?|den(?:y|ies|ied)|refus(?:e|es|ed)|(?:wrong(?:ly)?|incorrect(?:ly)?|false(?:ly)?|mistaken(?:ly)?|untrue|unlikely|impossible|tempt(?:ed|ing)|na[iï]ve|absurd)|(?:not|never|hardly|[a-z]{2,8}n(?:'|’)t|no longer)\s(?:be\s)?(?:true|correct|right|sure|certain|clear|obvious|the case|think|believe|say|claim|conclude|mean|agree|convinced)|(?:might|may|could|would|some|people|many|they)\s(?:first\s|naively\s|wrongly\s|be tempted to\s)?(?:think|say|guess|believe|expect|assume|conclude|claim|argue)|(?:guess|thought|attempt|instinct|intuition|impression|mistake|error) (?:was|had been)|bezweifle|falsch|dudo|doute|faux|falso|errado|сомневаюсь|неверно)(?:[\s,]+(?:that|to|say|think|claim|conclude|believe|assume|state|write|answer|the|my|our|your|final|correct|dass|que|que la|die|la|le|el|il|o|a|что)(?![\p{L}])){0,6}[\s,:]{0,3}$/iu;

const ANY = new NounPattern(false);
const FINAL = new NounPattern(true);
/** Only this many announcing words are looked at, from the last one backwards. */
const MAX_CUES = 256;
/** A text is searched backwards in parts of this length, since most answers are announced near the end. */
const PART = 8_000;
/** A noun that starts in one part may reach so far into the next. */
const OVERLAP = 40;

export interface Anchor {
  /** Where the announcing word starts. */
  at: number;
  /** Where the announced statement starts. */
  from: number;
  lead: Lead;
}

/** The places behind `from` where a text announces an answer, the last one first; only final ones with `finalOnly`. */
export function* findAnchors(text: string, finalOnly = false, from = 0): Generator<Anchor> {
  const pattern = finalOnly ? FINAL : ANY;
  let cues = 0;
  for (let end = text.length; end > from && cues < MAX_CUES; end -= PART) {
    const start = Math.max(from, end - PART);
    for (const cue of pattern.matches(text.slice(start, end + OVERLAP)).reverse()) {
      const at = start + cue.index;
      const lead = leadOf(cue[0]);
      if (at >= end || lead === undefined) continue;
      cues += 1;
      if (cues > MAX_CUES) return;
      const anchor = readAnchor(text, at, cue[0], lead);
      if (anchor !== null) yield anchor;
    }
  }
}

function readAnchor(text: string, at: number, noun: string, lead: Lead): Anchor | null {
  if (/[A-Za-zÀ-ɏА-я\\</]/.test(text.charAt(at - 1))) return null;
  const before = text.slice(Math.max(0, at - 64), at);
  if (SUPPOSED.test(before) || DOUBTED.test(before)) return null;
  const end = at + noun.length;
  const window = text.slice(end, end + 120);
  const link = lead.link.exec(window) ?? (lead.bare ? BARE.exec(window) : null);
  if (link !== null) return { at, from: end + link[0].length, lead };
  return isHeading(text, at, noun, window, lead.final) ? { at, from: end, lead } : null;
}

/** A line that only says `Answer`, with or without the marks of a heading; the answer is in the lines below. */
function isHeading(text: string, at: number, noun: string, window: string, final: boolean): boolean {
  // `## Solution` heads a derivation.
  if (/solution/i.test(noun) || !HEADING_END.test(window)) return false;
  const line = text.slice(Math.max(0, at - 40), at);
  return final || HEADING_START.test(line.slice(line.lastIndexOf('\n') + 1));
}
