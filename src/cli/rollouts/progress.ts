import { SingleBar } from 'cli-progress';

/** What people see while something takes long. */
export interface Progress {
  /** So much more is done: bytes read, or cohorts predicted. */
  readonly read: (more: number) => void;
  readonly end: () => void;
}

export const NO_PROGRESS: Progress = { read: () => {}, end: () => {} };

/** A bar that redraws itself; without a total, as of stdin, it counts megabytes. */
export function barProgress(stream: NodeJS.WriteStream, what: string, total: number | null): Progress {
  const bar = new SingleBar({
    stream,
    format:
      total === null ? `${what} | {megabytes} MB` : `${what} {bar} {percentage} % | {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 50,
  });
  let done = 0;
  bar.start(total ?? 1, 0, { megabytes: '0' });
  return {
    read: (more) => {
      done += more;
      bar.update(total === null ? 0 : Math.min(total, done), { megabytes: (done / 1e6).toFixed(1) });
    },
    end: () => bar.stop(),
  };
}
