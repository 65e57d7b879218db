import { SingleBar } from 'cli-progress';

/** What people see while files are read. */
export interface Progress {
  /** So many more bytes. */
  readonly read: (bytes: number) => void;
  readonly end: () => void;
}

export const NO_PROGRESS: Progress = { read: () => {}, end: () => {} };

const MEGABYTE = 1e6;

/** A bar over the bytes of the files, which redraws itself; without a total it counts megabytes. */
export function barProgress(stream: NodeJS.WriteStream, total: number | null): Progress {
  const bar = new SingleBar({
    stream,
    format:
      total === null
        ? 'reading stdin | {megabytes} MB'
        : '{bar} {percentage} % | {megabytes} MB read | {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 50,
  });
  let bytes = 0;
  bar.start(total ?? 1, 0, { megabytes: '0' });
  return {
    read: (more) => {
      bytes += more;
      bar.update(total === null ? 0 : Math.min(total, bytes), { megabytes: (bytes / MEGABYTE).toFixed(1) });
    },
    end: () => bar.stop(),
  };
}
