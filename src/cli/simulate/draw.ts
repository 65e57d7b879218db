import { createRequire } from 'node:module';
import type { Chart } from './report.ts';

const WIDTH = 960;
const HEIGHT = 600;

/** A package that only drawings need is not there. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';

  constructor(packages: string) {
    super(`Drawing needs packages that are not installed: npm install ${packages}`);
  }
}

/** The chart as an SVG document. Throws MissingPackageError. */
export async function drawSvg({ title, xLabel, yLabel, lines }: Chart): Promise<string> {
  const { init } = await load(() => import('echarts'), 'echarts');
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: 'DejaVu Sans, sans-serif' },
    title: { text: title, left: 'center' },
    legend: { bottom: 0, type: 'scroll' },
    grid: { left: 70, right: 30, top: 60, bottom: 90 },
    xAxis: {
      type: 'value',
      name: xLabel,
      nameLocation: 'middle',
      nameGap: 30,
    },
    yAxis: { type: 'value', name: yLabel, nameLocation: 'middle', nameGap: 45 },
    series: lines.map(({ name, points }) => ({
      type: 'line',
      name,
      showSymbol: false,
      data: points.map(([x, y]) => [x, y]),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** An SVG document of ours as a PNG picture, its text in a font that comes along. Throws MissingPackageError. */
export async function toPng(svg: string): Promise<Uint8Array> {
  const packages = '@resvg/resvg-js dejavu-fonts-ttf';
  const { Resvg } = await load(() => import('@resvg/resvg-js'), packages);
  const font = await load(async () => {
    return createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
  }, packages);
  const resvg = new Resvg(svg, {
    font: { fontFiles: [font], loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' },
  });
  return resvg.render().asPng();
}

async function load<T>(get: () => Promise<T>, packages: string): Promise<T> {
  try {
    return await get();
  } catch (error) {
    if (error instanceof Error && 'code' in error && /MODULE_NOT_FOUND/.test(String(error.code))) {
      throw new MissingPackageError(packages);
    }
    throw error;
  }
}
