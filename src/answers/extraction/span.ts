/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}
