/** Units that are words wherever they stand beside a number, though some could be products of variables. */
const SYMBOLS = new Set(
  (
    'mm cm dm km nm um ft yd mi mg kg lb lbs oz ml mL cl dl kl sq cu hr hrs sec secs min mins ms ns mph kph rpm ' +
    'rad rads deg degs kJ kW kN Pa kPa Hz kHz MHz eV keV MeV mol cal kcal bps dB USD EUR GBP cents cent yuan ' +
    'dollars dollar units unit radians radian degrees degree percent kWh MWh GHz GeV MPa'
  ).split(' '),
);

/** Units of measure and money, and what is said beside a count without changing it. */
const WORDS = new Set(
  // Length, area, volume, mass
  (
    'meter metre kilometer kilometre centimeter centimetre millimeter millimetre decimeter decimetre micrometer nanometer ' +
    'inch inches foot feet yard mile furlong acre hectare liter litre milliliter millilitre gallon quart pint cup teaspoon ' +
    'tablespoon ounce pound stone ton tonne gram gramme kilogram milligram microgram kilo barrel bushel square cubic ' +
    // Time, angle, physics, information
    'second minute hour day week fortnight month year decade century centuries millisecond microsecond nanosecond ' +
    'degree radian steradian revolution cycle hertz kilohertz megahertz newton joule kilojoule watt kilowatt megawatt volt ' +
    'ampere amp ohm farad henry tesla weber pascal kilopascal atmosphere bar torr kelvin celsius fahrenheit mole calorie ' +
    'kilocalorie electronvolt coulomb lumen lux knot bit byte kilobyte megabyte gigabyte terabyte kb mb gb tb wpm fps ppm ' +
    'bpm mmhg amu psi btu st nd rd th percent pct ' +
    // Money
    'dollar cent penny pence euro pound yuan yen won rupee ruble rouble peso franc dinar dirham lira krona real reais ' +
    'baht ringgit rand shilling quid buck usd eur gbp cny rmb inr jpy krw cad aud chf rs hkd sgd mxn brl rub vnd ' +
    // Counts without a plural in s
    'unit people person man men woman women child children mouse mice goose geese tooth teeth sheep fish deer cattle ox ' +
    'oxen dice die series species aircraft staff personnel furniture homework data pi time way piece item point number ' +
    'many much total altogether overall combined together each apiece every approximately approx exactly only whole ' +
    'old away apart remaining leftover needed required available chance probability ' +
    'likelihood total sum answer result ' +
    // Other languages
    'stunde stunden minute minuten sekunde sekunden tag tage tagen woche wochen monat monate jahr jahre jahren stück ' +
    'grad prozent gramm kilogramm heure jour semaine mois an année seconde degré pièce centime hora minuto segundo día ' +
    'dia semana mes mês meses año ano grado grau metro kilómetro quilômetro litro gramo grama ora ore minuto minuti ' +
    'secondo secondi giorno giorni settimana settimane mese mesi anno anni metri chilometro chilometri litri grammo ' +
    'grammi gradi uur uren dag dagen weken maand maanden jaar procent timmar timme dagar dage år ' +
    'рублей рубль рубля руб км м см мм кг г л час часа часов минут минуты минута секунд день дня дней год года лет ' +
    'градусов человек штук giờ phút giây ngày tuần tháng năm đồng mét cái người quả con'
  ).split(' '),
);

/** Counters, units and currencies of Chinese, Japanese and Korean. */
const COUNTERS = new Set(
  (
    '个 個 人 名 位 只 隻 匹 头 頭 条 條 件 枚 册 冊 台 臺 辆 輛 张 張 块 塊 朵 棵 颗 顆 根 支 枝 本 瓶 杯 碗 盒 箱 袋 包 双 雙 ' +
    '对 套 间 間 座 层 層 艘 架 节 次 回 遍 种 種 组 組 道 题 題 页 頁 步 班 户 家 所 元 圆 円 角 毛 美元 日元 欧元 人民币 ' +
    '岁 歲 歳 才 年 月 日 天 号 周 週 小时 小時 时间 時間 时 時 分钟 分鐘 分 分間 秒 秒钟 个月 個月 ヶ月 か月 週間 日間 年間 ' +
    '米 厘米 毫米 千米 公里 分米 平方米 平方厘米 立方米 立方厘米 公顷 亩 克 千克 公斤 斤 吨 升 毫升 摄氏度 メートル センチ ' +
    'キロ グラム キログラム リットル ドル つ 箇 脚 羽 着 足 杯 皿 通 点 ページ 개 명 사람 마리 권 대 장 송이 그루 자루 병 잔 상자 ' +
    '원 달러 살 세 시간 분 초 일 주 개월 달 년 번 회 가지 미터 센티미터 킬로미터 그램 킬로그램 리터 도 쌍 켤레 인 점 조각 ชิ้น ' +
    'คน บาท ตัว เล่ม วัน ปี ชั่วโมง นาที'
  ).split(' '),
);

const IRREGULAR: Readonly<Record<string, string>> = {
  men: 'man',
  women: 'woman',
  children: 'child',
  people: 'person',
  feet: 'foot',
  teeth: 'tooth',
  geese: 'goose',
  mice: 'mouse',
  oxen: 'ox',
  pence: 'penny',
};

/** Whether a run of letters is a unit even where it is not set upright: `cm`, `kWh`. */
export function isUnit(run: string): boolean {
  return SYMBOLS.has(run);
}

/** Prefixes and units of the SI, upright: `\mathrm{mA}`. */
const SI =
  /^(?:da|[YZEPTGMkhdcmunp])?(?:m|g|s|A|K|mol|cd|Hz|N|Pa|J|W|C|V|F|ohm|S|Wb|T|H|lm|lx|Bq|Gy|Sv|L|l|eV|Wh|bar|cal|h)$/;

/** Whether a word beside a number is known to be a unit, a counter, or another word that leaves the number as it is. */
export function isUnitWord(word: string): boolean {
  const lower = word.toLowerCase();
  return (
    SYMBOLS.has(word) || WORDS.has(lower) || WORDS.has(singular(lower)) || COUNTERS.has(word) || SI.test(word)
  );
}

/** The singular of an English noun as far as endings tell it; anything else stays. */
export function singular(word: string): string {
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word] ?? word;
  if (!isPlural(word)) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return /(?:s|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Whether a word ends as the plurals of nouns do. */
export function isPlural(word: string): boolean {
  if (word.length < 4 || !/s$/i.test(word)) return false;
  const before = word.charAt(word.length - 2).toLowerCase();
  return before === 'a' ? word.length > 4 : !"sui'’".includes(before);
}
