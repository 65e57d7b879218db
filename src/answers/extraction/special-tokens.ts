/** Chat-template tokens that a decoder may leave in a completion; bounded, so the scan stays linear. */
const SPECIAL_TOKEN =
  /<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|<\/?s>|<(?:pad|eos|bos|unk)>|<(?:start|end)_of_turn>/g;

/** A turn of somebody else: what follows was not said by this model. */
const NEXT_TURN = /<\|im_start\|>user|<\|start_header_id\|>user|<start_of_turn>user|<｜User｜>/g;

/** Removes chat-template tokens, and a run-on that plays the next user turn. */
export function stripSpecialTokens(text: string): string {
  if (!text.includes('<')) return text;
  let end = text.length;
  for (const match of text.matchAll(NEXT_TURN)) {
    if (text.slice(0, match.index).replace(SPECIAL_TOKEN, '').trim() !== '') {
      end = match.index;
      break;
    }
  }
  return text.slice(0, end).replace(SPECIAL_TOKEN, '\n');
}
