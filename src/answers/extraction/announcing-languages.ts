/** The words by which a language announces an answer; all in lower case. */
interface Announcing {
  /** Nouns of a final answer, which ranks with a box. */
  final: readonly string[];
  nouns: readonly string[];
  /** What may stand between the noun and the link: adjectives after the noun, adverbs. */
  between: readonly string[];
  /** Verbs and particles that lead to the answer. */
  links: readonly string[];
  /** Whether the answer may follow the noun without a link, as in `उत्तर 36 है`. */
  bare?: boolean;
}

export const LANGUAGES: readonly Announcing[] = [
  {
    final: ['final answer'],
    nouns: ['answer', 'answers', 'solution'],
    between: [
      'should',
      'would',
      'must',
      'will',
      'therefore',
      'then',
      'thus',
      'hence',
      'now',
      'to this question',
      'to the question',
      'to the problem',
      'to this problem',
      'here',
      'has to',
      'turns out to',
      'comes out to',
      'works out to',
    ],
    links: ['is', 'are', 'be', 'was', 'equals'],
  },
  {
    final: ['最终答案', '最終答案', '最终的答案'],
    nouns: ['答案', '答'],
    between: ['应该', '應該', '应当', '应', '應', '就', '即', '便', '显然', '因此'],
    links: ['是', '为', '為', '等于', '等於'],
    bare: true,
  },
  {
    final: ['最終的な答え', '最終的な答', '最終回答', '最終解答', '最終答え'],
    nouns: ['答え', '正解', '解答', '回答'],
    between: [],
    links: ['は', 'が'],
    bare: true,
  },
  {
    final: ['최종 정답', '최종 답변', '최종 답', '최종답'],
    nouns: ['정답', '답변', '답'],
    between: [],
    links: ['은', '는', '이', '가'],
    bare: true,
  },
  {
    final: ['endgültige antwort', 'finale antwort', 'endantwort'],
    nouns: ['antwort'],
    between: ['also', 'somit', 'daher', 'damit', 'folglich', 'muss', 'auf die frage'],
    links: ['ist', 'lautet', 'beträgt', 'wäre', 'sind', 'sein'],
  },
  {
    final: ['respuesta final'],
    nouns: ['respuesta'],
    between: ['correcta', 'por tanto', 'por lo tanto', 'entonces', 'debe', 'a la pregunta'],
    links: ['es', 'sería', 'son', 'ser'],
  },
  {
    final: ['réponse finale'],
    nouns: ['réponse'],
    between: ['correcte', 'exacte', 'juste', 'doit', 'à la question'],
    links: ['est', 'serait', 'vaut', 'sont', 'être'],
  },
  {
    final: ['risposta finale'],
    nouns: ['risposta'],
    between: ['corretta', 'esatta', 'quindi', 'dunque', 'deve', 'alla domanda'],
    links: ['è', 'sarebbe', 'sono', 'essere'],
  },
  {
    final: ['resposta final'],
    nouns: ['resposta'],
    between: ['correta', 'certa', 'portanto', 'então', 'deve', 'à pergunta'],
    links: ['é', 'seria', 'são', 'ser'],
  },
  {
    final: ['окончательный ответ', 'итоговый ответ'],
    nouns: ['ответ', 'ответом'],
    between: ['на вопрос', 'на задачу', 'следовательно', 'здесь'],
    links: ['равен', 'это', 'есть', 'будет', 'составляет', 'является'],
    bare: true,
  },
  {
    final: ['ostateczna odpowiedź', 'końcowa odpowiedź'],
    nouns: ['odpowiedź', 'odpowiedzią'],
    between: ['więc', 'zatem', 'na pytanie', 'końcowa', 'ostateczna'],
    links: ['to jest', 'jest', 'to', 'wynosi', 'brzmi'],
  },
  {
    final: ['definitieve antwoord', 'definitief antwoord', 'eindantwoord', 'uiteindelijke antwoord'],
    nouns: ['antwoord'],
    between: ['dus', 'daarom', 'moet', 'op de vraag'],
    links: ['is', 'luidt', 'bedraagt', 'zijn'],
  },
  {
    final: ['nihai cevap', 'son cevap', 'nihai yanıt', 'kesin cevap'],
    nouns: ['cevap', 'cevabı', 'cevabımız', 'yanıt', 'yanıtı'],
    between: ['olarak'],
    links: [],
    bare: true,
  },
  {
    final: ['đáp án cuối cùng', 'câu trả lời cuối cùng', 'đáp số cuối cùng'],
    nouns: ['đáp án', 'đáp số', 'câu trả lời'],
    between: ['đúng', 'chính xác', 'sẽ', 'phải', 'của bài toán', 'cho bài toán'],
    links: ['là', 'bằng'],
    bare: true,
  },
  {
    final: ['الإجابة النهائية', 'الجواب النهائي', 'الاجابة النهائية'],
    nouns: ['الإجابة', 'الاجابة', 'الجواب', 'إجابة', 'جواب'],
    between: ['الصحيحة', 'الصحيح', 'النهائية', 'النهائي', 'إذن', 'إذا'],
    links: ['هو', 'هي', 'تساوي', 'يساوي'],
    bare: true,
  },
  {
    final: ['अंतिम उत्तर', 'अंतिम जवाब'],
    nouns: ['उत्तर', 'जवाब'],
    between: ['होगा', 'तो', 'इसलिए', 'सही'],
    links: ['है'],
    bare: true,
  },
  {
    final: ['jawaban akhir', 'jawaban akhirnya'],
    nouns: ['jawaban', 'jawabannya'],
    between: ['yang benar', 'yang tepat', 'benar', 'seharusnya', 'dari soal ini', 'untuk soal ini'],
    links: ['adalah', 'ialah', 'yaitu'],
  },
];

/** Adverbs between a link and the answer, which say nothing about it. */
export const HEDGES = [
  'therefore|thus|then|hence|simply|just|exactly|precisely|still|indeed|clearly|obviously|definitely|certainly|now|also|probably|likely|really|actually|equal to|approximately|about|roughly|around|given by|found to be|to be',
  'also|somit|daher|genau|gleich|ungefähr|etwa|donc|alors|exactement|environ|égale à|entonces|exactamente|igual a|aproximadamente|quindi|dunque|esattamente|uguale a|circa|portanto|então|exatamente',
  '就是|即|约为|約為|约|約|等于|ровно|примерно|равен|więc|zatem|dokładnie|około|dus|precies|ongeveer|tam olarak|yaklaşık|bằng|khoảng|chính là|약|約|إذن|तो',
].join('|');
