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
/** The words of the heads of lines. */
const WORDS = `${HEADS}|Input|user|human`.split('|');
/** The second letters of those words by the code of their first one. */
const SECONDS: ReadonlyMap<number, string> = secondLetters();
const MAX_MARKS = 18;
/** `Q` is a whole word. */
const LETTER_Q = 0x51;
/** Every glued head holds one of these. */
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
  let code = text.charCodeAt(at);
  while (isMark(code) && at - line < MAX_MARKS) {
    at += 1;
    code = text.charCodeAt(at);
  }
  const seconds = SECONDS.get(code);
  return seconds !== undefined && (code === LETTER_Q || seconds.includes(text.charAt(at + 1)));
}

/** Space, tab, `>`, `#`, `*`. */
function isMark(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x3e || code === 0x23 || code === 0x2a;
}

function secondLetters(): Map<number, string> {
  const seconds = new Map<number, string>();
  for (const word of WORDS) {
    const code = word.charCodeAt(0);
    seconds.set(code, (seconds.get(code) ?? '') + word.charAt(1));
  }
  return seconds;
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
