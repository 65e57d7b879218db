import { describe, expect, it } from 'vitest';
import { openServer } from './test-server.ts';

const PROMPT =
  '<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|>Find x.<|im_end|>\n<|im_start|>assistant\n';

const openRlhf = (label: unknown, answer = '3', prompt = PROMPT) => ({
  query: [`${prompt}<answer>${answer}</answer>`],
  prompts: [prompt],
  labels: [label],
});

async function open() {
  const server = await openServer({ k: 1, answers: { mode: 'vlm', pattern: null } });
  /** The prompts that the cohort has, by what is waited for. */
  const idsOf = async () =>
    (await server.get('/v1/cohorts/test/buckets?limit=50')).body.buckets.map(
      ({ prompt_id: id }: { prompt_id: string }) => id,
    );
  return { server, idsOf };
}

describe('a prompt that shows images', () => {
  it('is refused where nothing names them, since many problems have the same question', async () => {
    const { server, idsOf } = await open();
    for (const prompt of [PROMPT, 'USER: <image>\nFind x. ASSISTANT:', '[INST][IMG]Find x.[/INST]']) {
      const { status, body } = await server.send('POST', '/openrlhf/test/a', openRlhf('', '3', prompt));
      expect([status, body.code]).toEqual([422, 'unknown_prompt']);
      expect(body.detail).toContain('{"images"');
    }
    expect(await idsOf()).toEqual([]);
  });

  it('is another problem with other images, in another order or number, and the same with the same', async () => {
    const { server, idsOf } = await open();
    const big = 'data:image/png;base64,'.padEnd(5_000, 'A');
    const labels: unknown[] = [
      { images: ['a.png'] },
      { images: ['b.png'] },
      { images: ['a.png', 'b.png'] },
      { images: ['b.png', 'a.png'] },
      { image: big },
      { image: `${big}B` },
      { image_id: 7 },
      { images: [{ bytes: 'x', path: null }] },
    ];
    const waiting = labels.map((label) =>
      server.send('POST', '/openrlhf/test/a', openRlhf(JSON.stringify(label))),
    );
    await server.untilHeld(labels.length);
    const ids = await idsOf();
    expect(new Set(ids).size).toBe(labels.length);
    for (const label of labels) {
      const { status, body } = await server.send('POST', '/openrlhf/test/b', openRlhf(JSON.stringify(label)));
      expect([status, body.rewards]).toEqual([200, [1]]);
    }
    expect((await Promise.all(waiting)).map(({ body }) => body.rewards)).toEqual(labels.map(() => [1]));
    expect(await idsOf()).toEqual([]);
  });

  it('needs no images where the label or the manifest names the problem', async () => {
    const { server, idsOf } = await open();
    const first = server.send('POST', '/openrlhf/test/a', openRlhf('{"pid": "geo-1"}'));
    await server.untilHeld(1);
    expect(await idsOf()).toEqual(['geo-1']);
    const prompts = '{"prompt_id": "geo-2", "text": "Find x."}';
    expect((await server.send('PUT', '/v1/cohorts/test/prompts', prompts)).status).toBeLessThan(300);
    const second = server.send('POST', '/openrlhf/test/b', openRlhf(''));
    await server.untilHeld(2);
    expect([...(await idsOf())].sort()).toEqual(['geo-1', 'geo-2']);
    await server.send('POST', '/openrlhf/test/b', openRlhf('{"pid": "geo-1"}'));
    await server.send('POST', '/openrlhf/test/a', openRlhf(''));
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('is told by the images in the messages that slime sends', async () => {
    const { server, idsOf } = await open();
    const sent = (url: string) => ({
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: 'Find x.' },
          ],
        },
      ],
      response: '<answer>3</answer>',
      label: '',
    });
    const waiting = ['one.png', 'two.png'].map((url) => server.send('POST', '/slime/test/a', sent(url)));
    await server.untilHeld(2);
    expect(new Set(await idsOf()).size).toBe(2);
    for (const url of ['two.png', 'one.png']) {
      expect((await server.send('POST', '/slime/test/b', sent(url))).text).toBe('1.0');
    }
    expect((await Promise.all(waiting)).map(({ text }) => text)).toEqual(['1.0', '1.0']);
  });

  it('is refused with images that are none', async () => {
    const { server } = await open();
    for (const images of [[null], [true], Array.from({ length: 65 }, () => 'x')]) {
      const { status, body } = await server.send(
        'POST',
        '/openrlhf/test/a',
        openRlhf(JSON.stringify({ images })),
      );
      expect([status, body.code]).toEqual([422, 'invalid_request']);
    }
  });
});
