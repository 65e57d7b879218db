/** One panel as it is written down: a title, queries with the names of their lines, a unit of Grafana's. */
export interface Panel {
  readonly title: string;
  readonly about: string;
  readonly unit: 'percentunit' | 'short' | 's' | 'bytes' | 'reqps' | 'ops';
  readonly queries: readonly (readonly [expression: string, legend: string])[];
  /** Fixes the axis to 0–1. */
  readonly share?: true;
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly about: string;
  /** Variables besides the data source; `query` in PromQL's label_values, else a choice of values. */
  readonly variables: readonly Variable[];
  readonly panels: readonly Panel[];
}

export interface Variable {
  readonly name: string;
  readonly label: string;
  readonly query?: string;
  readonly choices?: readonly string[];
}

const COLUMNS = 2;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in.
const SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The JSON that Grafana reads, the same for the same input. */
export function toGrafana({ uid, title, about, variables, panels }: Dashboard): object {
  return {
    uid,
    id: null,
    title,
    description: about,
    tags: ['peervote'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '15s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        ...variables.map(toVariable),
      ],
    },
    panels: panels.map(toPanel),
  };
}

function toVariable({ name, label, query, choices }: Variable): object {
  if (query !== undefined) {
    return { name, label, type: 'query', datasource: SOURCE, query: { query }, refresh: 2, sort: 1 };
  }
  const [first = ''] = choices ?? [];
  const option = (value: string) => ({ text: value, value, selected: value === first });
  return {
    name,
    label,
    type: 'custom',
    query: choices?.join(',') ?? '',
    options: choices?.map(option) ?? [],
    current: option(first),
  };
}

function toPanel({ title, about, unit, queries, share }: Panel, at: number): object {
  return {
    id: at + 1,
    type: 'timeseries',
    title,
    description: about,
    datasource: SOURCE,
    gridPos: { x: (at % COLUMNS) * WIDTH, y: Math.floor(at / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, ...(share && { min: 0, max: 1 }) }, overrides: [] },
    options: {
      legend: { displayMode: 'table', placement: 'right', calcs: ['lastNotNull'] },
      tooltip: { mode: 'multi' },
    },
    targets: queries.map(([expr, legendFormat], place) => ({
      refId: String.fromCharCode(65 + place),
      datasource: SOURCE,
      expr,
      legendFormat,
    })),
  };
}
