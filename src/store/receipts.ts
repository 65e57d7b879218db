/**
 * What is known of replies that are on their way: a process may be killed after it wrote one and before `Store.answer`
 * noted it. Only needed where a process can be outlived by its store.
 */
export interface Receipts {
  /**
   * The reply to connection `holder` has just been handed to the operating system. Returns at once and never throws: it
   * is sent in the same moment as the reply, so that a process that dies leaves both or neither.
   */
  announce(holder: string): void;
}

/** For a store that goes with its process. */
export const NO_RECEIPTS: Receipts = { announce: () => {} };
