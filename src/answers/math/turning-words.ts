/** Where to, which way, before or behind. */
const DIRECTIONS =
  'up down left right back forth inside outside in-debt above below over under beneath underneath ahead behind before ' +
  'after ago hence later earlier early late past prior previous next now since until till off out clockwise ' +
  'counterclockwise anticlockwise counter anti cw ccw uphill downhill upstream downstream upstairs downstairs overhead ' +
  'underground underwater indoors outdoors ascending descending horizontal vertical horizontally vertically parallel ' +
  'perpendicular inbound outbound departure arrival am pm ad bc bce ce';

/** More or less: what a change, an account or a game came to. */
const CHANGES =
  'profit profits loss losses gain gains lost lose loses losing gained won win wins winning debt debts owe owes owed owing ' +
  'deficit deficits surplus shortfall shortage overdraft overdrawn credit credits debit debits short shy discount ' +
  'discounts markup markdown increase increases increased increasing decrease decreases decreased decreasing rise rises ' +
  'rose risen fall falls fell fallen drop drops dropped decline declines declined growth reduction reduced raise raised ' +
  'heads tails head tail positive negative positives negatives true false wrong correct incorrect valid invalid missing ' +
  'absent present pass passes passed fail fails failed against yes yeses nays hit hits miss misses missed';

const COMPARISONS =
  'less more than fewer greater lesser least most larger smaller bigger lower higher shorter taller longer older younger ' +
  'faster slower fast slow hotter colder warmer cooler heavier lighter deeper shallower wider narrower closer nearer ' +
  'farther further better worse best worst minimum maximum hot cold rich poor';

/** What computes another number from the one beside it, or says in which system it is written. */
const OPERATIONS =
  'mod modulo base squared cubed square cube factorial doubled tripled quadrupled halved inverted negated reversed ' +
  'subtracted multiplied divided plus minus root roots reciprocal inverse opposite complement conjugate logarithm log ' +
  'twice thrice double triple quadruple half halves third thirds fourths fifths sixths sevenths eighths ninths tenths ' +
  'hundredths thousandths tens hundred hundreds thousand thousands million millions billion billions trillion dozen ' +
  'dozens score factor multiple divisor divisible absolute percentile quantile fold nth power exponent modulus remainder quotient';

/** What makes a sentence of the number and its words, or takes it back. */
const STATEMENTS =
  'is are was were be been being isn aren wasn do does did don doesn didn has have had can could will would shall should ' +
  'may might must cannot if when because but though although unless while whereas however except excluding without ' +
  'too always else not no never none neither nor either so or ish impossible unknown undefined undetermined wrong unclear maybe perhaps ' +
  'probably possibly likely unlikely guess roughly around nearly almost works holds satisfies nicht falsch pas faux ' +
  'incorrecto falso errado sbagliato au al';

const OTHER_LANGUAGES =
  'links rechts oben unten hoch runter gewinn verlust gauche droite haut bas perte bénéfice izquierda derecha arriba abajo ' +
  'pérdida pérdidas ganancia ganancias sinistra destra perdita guadagno esquerda direita cima baixo prejuízo lucro';

const TURNING = new Set(
  [DIRECTIONS, CHANGES, COMPARISONS, OPERATIONS, STATEMENTS, OTHER_LANGUAGES].flatMap((list) =>
    list.split(' '),
  ),
);
const COMPASS = /^(?:(?:north|south)(?:east|west)?|east|west)(?:ern|erly|bound|wards?)?$/;
const WAY = /wards?$/;

/**
 * Whether a word beside a number turns what it means, so that it is no unit: `20% loss`, `5 units down`, `12 years ago`,
 * `30 squared`, `17 is wrong`.
 */
export function isTurning(word: string): boolean {
  const lower = word.toLowerCase();
  return TURNING.has(lower) || (lower.length >= 4 && (COMPASS.test(lower) || WAY.test(lower)));
}
