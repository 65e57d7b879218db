/**
 * What a word says about the option beside it. `announce` names the answer, `noun` an option, `guess` points at one, `pick`
 * chooses one, `leave` is left with one; `not` denies what follows, `after` what precedes, `cannot` either, by place. `modal`
 * and `doubt` weaken, `suppose` only supposes.
 */
export type WordClass =
  | 'announce'
  | 'noun'
  | 'guess'
  | 'pick'
  | 'leave'
  | 'conclude'
  | 'link'
  | 'right'
  | 'wrong'
  | 'fail'
  | 'not'
  | 'after'
  | 'cannot'
  | 'modal'
  | 'suppose'
  | 'doubt'
  | 'join'
  | 'contrast'
  | 'reason';

/** Words and phrases of languages that put spaces between words, in lower case, by class; phrases are of one to three words. */
export const SPACED: Readonly<Record<WordClass, string>> = {
  announce:
    'answer|answers|antwort|lösung|respuesta|réponse|risposta|resposta|ответ|odpowiedź|odpowiedzią|antwoord|cevap|cevabı|yanıt|' +
    'đáp án|câu trả lời|jawaban|jawabannya|الإجابة|الاجابة|الجواب|उत्तर|जवाब',
  noun:
    'option|choice|letter|alternative|response|opción|opcion|alternativa|letra|lettre|buchstabe|buchstaben|opzione|lettera|opção|вариант|' +
    'буква|opcja|litera|optie|keuze|şık|seçenek|phương án|lựa chọn|pilihan|opsi|الخيار|विकल्प|aussage|proposition',
  guess:
    "it's|it is|it's definitely|think|believe|guess|suspect|must be|c'est|es ist|это|to jest|it would be|it should be|glaube|creo|pense|credo|acho",
  pick:
    'finalize|finalise|go for|pick|choose|select|selected|selecting|choosing|picking|chose|picked|chosen|go with|going with|opt for|settle on|vote for|selection|' +
    'wähle|elijo|escojo|selecciono|choisis|scelgo|escolho|выбираю|wybieram|kies|chọn|memilih|أختار',
  leave: 'leaving|leaves|only leaves|that leaves|left with|bleibt|queda|reste|остаётся|остается|rimane|resta',
  conclude:
    'so|thus|therefore|hence|consequently|accordingly|wait|actually|correction|overall|conclusion|finally|also bleibt|daher|somit|' +
    'donc|ainsi|quindi|dunque|luego|así que|por lo tanto|por tanto|portanto|logo|следовательно|значит|итак|zatem|więc|dus|' +
    'vậy|do đó|jadi|maka|إذن|अतः|इसलिए',
  link:
    "let's|is|are|be|was|were|been|being|do|does|did|would|should|will|must|shall|has to|have to|need to|i|i'd|i'll|i'm|we|my|our|am|to|for|" +
    'sure|definitely|certainly|surely|obviously|clearly|most|likely|probably|indeed|still|the|that|this|it|here|only|just|simply|' +
    'seem|seems|appear|appears|remains|remain|equals|either|then|necessarily|question|of the|as|from|among|given|these|following|available|options|choices|provided|listed|list|above|statement|itself|' +
    'ser|sein|être|essere|быть|być|zijn|ist|sind|wäre|lautet|die|der|das|ich|es|son|el|la|los|lo|est|le|les|je|lui|è|é|sono|il|io|eu|a|de|são|это|является|' +
    'jest|to|ta|het|de|een|ik|dir|dır|dur|dür|là|phải là|adalah|ialah|yang|هو|هي|है|हैं|का',
  right:
    'correct|right|true|valid|best|appropriate|accurate|final|proper|suitable|closest|remaining|richtig|richtige|richtigen|korrekt|' +
    'korrekte|endgültige|correcta|correcto|final|finale|bonne|correcte|exacte|juste|corretta|corretto|giusta|esatta|correta|correto|' +
    'certa|правильный|правильная|правильно|правилен|верный|верная|верно|верен|окончательный|poprawna|poprawny|prawidłowa|' +
    'juiste|juist|goede|doğru|đúng|chính xác|benar|tepat|الصحيحة|الصحيح|صحيح|صحيحة|النهائية|सही',
  wrong:
    'wrong|incorrect|false|invalid|worst|impossible|eliminated|excluded|ruled out|out|untrue|inaccurate|inappropriate|implausible|' +
    'falsch|falsche|faux|fausse|incorrecta|incorrecto|incorrecte|falsa|falso|errada|errado|sbagliata|sbagliato|errata|неправильный|неправильная|' +
    'неправильно|неверный|неверная|неверно|неверен|błędna|błędny|fout|foute|onjuist|verkeerd|yanlış|sai|salah|خاطئة|خطأ|خاطئ|गलत',
  fail: 'fails|fail',
  not:
    'not|never|neither|none of|without|rule out|rules out|ruled out|ruling out|exclude|excludes|excluded|excluding|eliminate|' +
    'eliminates|eliminated|eliminating|reject|rejects|rejected|discard|discarded|dismiss|dismissed|rather than|instead of|' +
    'as opposed to|opposed to|unlike|except|except for|anything but|nothing but not|all but|other than|apart from|' +
    'nicht|kein|keine|weder|außer|pas|sauf|excepto|menos|salvo|tranne|eccetto|exceto|кроме|ни|oprócz|behalve|geen|' +
    'noch|ni|né|nem|trừ|kecuali|إلا|باستثناء',
  after: 'değil|değildir|नहीं',
  cannot:
    "cannot|can't|isn't|aren't|wasn't|doesn't|don't|didn't|won't|wouldn't|shouldn't|couldn't|mustn't|not be|no|n'est|ne|non|não|не|" +
    'nie|niet|không|không phải|bukan|bukanlah|tidak|ليس|ليست|لا',
  modal:
    'may|might|could|can|könnte|kann|podría|puede|pourrait|peut|potrebbe|poderia|может|może|kan|belki|có thể|mungkin|bisa|ربما|قد|शायद',
  suppose:
    'if|whether|suppose|supposing|assuming|unless|why|how|wenn|ob|si|se|если|jeśli|als|eğer|nếu|jika|إذا|अगर',
  doubt:
    'maybe|perhaps|possibly|unsure|uncertain|not sure|not certain|doubt|alternatively|vielleicht|möglicherweise|quizás|quizá|tal vez|' +
    'peut-être|forse|talvez|возможно|наверное|może być|misschien|sanırım',
  join:
    'or|and|nor|plus|vs|versus|as well as|along with|oder|und|ou|et|o|u|y|e|или|и|либо|lub|albo|oraz|of|en|veya|ya da|ve|hoặc|hay|' +
    'và|atau|dan|أو|او|و|या|और|both|beide',
  contrast:
    'but|instead|rather|however|yet|sondern|sino|mais|bensì|ma|mas|а|но|lecz|ale|maar|ama|mà|mà là|melainkan|tetapi|بل|बल्कि',
  reason: 'because|since|based|due',
};

/** The same of languages that put none, and of particles. */
export const UNSPACED: Readonly<Partial<Record<WordClass, string>>> = {
  announce: '答案|答え|回答|解答|答|正解|정답|답안|답',
  noun: '选项|選項|選択肢|선택지|보기',
  guess: '我认为|我認為|我觉得|제 생각에',
  pick: '选择|選擇|选|選|应选|應選|選びます|고릅니다',
  conclude: '所以|因此|综上|綜上|故|于是|よって|したがって|따라서|그러므로',
  link: '应该是|應該是|就是|应为|應為|是|为|為|应|應|该|我|的|即|只有|只能|は|が|の|에|은|는|이|가|번|の答え',
  right: '正确|正確|对的|對的|最佳|最终|最終|正しい|올바른|맞는|맞습니다|옳은|옳다',
  wrong: '错误|錯誤|错的|错了|错|不对|不對|不正确|不正確|間違い|間違って|誤り|틀린|틀렸|틀립|오답',
  not: '不是|不选|不選|不能选|不能是|不可能是|不可能|不会是|并非|並非|而非|而不是|除了|除|排除|非|既不是|也不是|以外',
  after: 'ではなく|ではない|じゃない|ではありません|でもない|아니라|아니고|아닌|아닙니다|아니다|아니',
  modal: '可能是|可能',
  suppose: '如果|是否|もし|만약',
  doubt: '也许|或许|大概|たぶん|かもしれ|아마',
  join: '或者|或是|还是|或|和|与|與|及|または|又は|か|と|や|또는|이나|혹은|과|와|및',
  contrast: '而是|而|但是|但',
};
