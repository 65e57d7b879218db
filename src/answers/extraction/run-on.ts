/** Words that head somebody else's turn, or the next problem. */
const HEADS =
  'Human|HUMAN|User|USER|Question|QUESTION|Problem|PROBLEM|Exercise|Q|Instruction|Instructions|Task|Frage|Aufgabe|Nutzer|Benutzer|Pregunta|Usuario|Problema|Utilisateur|Domanda|Utente|Pergunta|Usuário|Pytanie|Vraag|Gebruiker|Soru|Kullanıcı|Câu hỏi|Người dùng|Вопрос|Задача|Пользователь|Pertanyaan|Pengguna|Soal|问题|問題|题目|題目|用户|用戶|人类|質問|ユーザー|질문|문제|사용자|سؤال|السؤال|المستخدم|प्रश्न|सवाल';
/** At the start of a line: `Question 2: …`, `**Problem:** …`, `### Instruction`, a role alone in its line. */
const LINE = new RegExp(
  `[ \\t>]{0,8}(?:(?:(?:#{1,6}|\\*{1,2})[ \\t]{0,4})?(?:${HEADS})[ \\t]{0,2}(?:\\d{1,3}|#\\d{1,3})?\\*{0,2}[ \\t]{0,2}[:：]|#{2,6}[ \\t]{0,4}(?:Human|User|Question|Problem|Exercise|Instruction|Input|Task)s?[ \\t]{0,2}\\d{0,3}[ \\t]{0,4}(?:\\n|$)|(?:user|human)[ \\t]{0,4}\\n)`,
  'y',
);
/** Glued to the token before it, as base models run on: `\boxed{58}Human: …`. */
const GLUED =
  /(?:Human|User|USER|Question|Problem|##{1,5} ?(?:Instruction|Question|Problem|Human|User))[ \t]?[:：]/g;
const GLUE = /[^\s\p{Ll}"'`(_-]/u;
/** The words of the heads of lines, how they start, the marks that stand before them, and the words of glued heads. */
const WORDS = `${HEADS}|Input|user|human`.split('|');
const FIRST: ReadonlySet<number> = new Set(WORDS.map((word) => word.charCodeAt(0)));
/** One letter is a whole word: `Q`. */
const FIRST_TWO: ReadonlySet<string> = new Set(WORDS.map((word) => word.slice(0, 2)));
const MARKS: ReadonlySet<number> = new Set(Array.from(' \t>#*', (mark) => mark.charCodeAt(0)));
const MAX_MARKS = 18;
const GLUED_WORDS = ['Human', 'User', 'USER', 'Question', 'Problem', 'Instruction'];
const FENCE = /[ \t]{0,8}(?:```|~~~)/y;
/** Only so many places are offered. */
const MAX_PLACES = 4;

/**
 * Where a turn that the model plays for somebody else may start, in order, at most four; none at the start of the text and
 * none inside a block of code. A restated question looks the same: whether it is one depends on whether an answer stands before,
 * and no answer starts before `answers`.
 */
export function findRunOns(text: string, answers = 0): number[] {
  if (!mayRunOn(text, answers)) return [];
  const places: number[] = [];
  const start = text.search(/\S/);
  let glued = nextGlued(text, start + 1);
  let fenced = false;
  for (let at = 0; at < text.length && places.length < MAX_PLACES; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    if (isAt(FENCE, text, at)) fenced = !fenced;
    else if (!fenced && at > start && mayHead(text, at) && isAt(LINE, text, at)) places.push(at);
    for (; glued >= 0 && glued < end; glued = nextGlued(text, glued + 1)) {
      if (!fenced && places.at(-1) !== at && places.length < MAX_PLACES) places.push(glued);
    }
    at = end + 1;
  }
  return places.filter((place) => place > answers);
}

/** Whether a text may hold a head behind a place; most hold none, and are done with this one look. */
function mayRunOn(text: string, from: number): boolean {
  if (GLUED_WORDS.some((word) => text.indexOf(word, from) >= 0)) return true;
  for (let line = text.indexOf('\n', from); line >= 0; line = text.indexOf('\n', line + 1)) {
    if (mayHead(text, line + 1)) return true;
  }
  return false;
}

/** Whether a line starts as one of the words does, behind the marks that may stand before it. */
function mayHead(text: string, line: number): boolean {
  let at = line;
  while (MARKS.has(text.charCodeAt(at)) && at - line < MAX_MARKS) at += 1;
  if (!FIRST.has(text.charCodeAt(at))) return false;
  return FIRST_TWO.has(text.charAt(at)) || FIRST_TWO.has(text.slice(at, at + 2));
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function nextGlued(text: string, from: number): number {
  GLUED.lastIndex = from;
  for (let match = GLUED.exec(text); match !== null; match = GLUED.exec(text)) {
    if (GLUE.test(text.charAt(match.index - 1))) return match.index;
  }
  return -1;
}
