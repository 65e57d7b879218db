import { type Command, Option } from 'commander';
import { type FlagValues, SERVE_FLAGS } from '../config/flags.ts';

/** What commander makes of the flags: one that stands alone is true. */
export type RawFlags = Readonly<Record<string, FlagValues[string] | true>>;

/** Gives a command the flags that the configuration declares. */
export function addServeFlags(command: Command): Command {
  for (const { flag, argument, description, repeatable } of SERVE_FLAGS) {
    const option = new Option(`${flag} ${argument}`, description);
    if (repeatable) option.argParser((value: string, previous: string[] = []) => [...previous, value]);
    command.addOption(option);
  }
  return command;
}

/** A flag that may stand alone says yes. */
export function toFlagValues(flags: RawFlags): FlagValues {
  return Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [name, value === true ? 'true' : value]),
  );
}
