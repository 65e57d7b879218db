import { type Check, fail, ok, warn } from './check.ts';

/** Variables that HTTP libraries take a proxy from, by the scheme of the URL. */
const PROXY_VARIABLES = { 'http:': ['http_proxy', 'HTTP_PROXY'], 'https:': ['https_proxy', 'HTTPS_PROXY'] };
const FOR_ALL = ['all_proxy', 'ALL_PROXY'];

/** Whether `url` is one that trainers can post to, and which proxy would stand in between. Without a FAIL it can be asked. */
export function checkAddress(url: string, env: Readonly<Record<string, string | undefined>>): Check[] {
  // `peervote:8080` parses, as a URL of the scheme "peervote:".
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    return [fail('url', `"${url}" has no scheme: write http://${url}.`)];
  }
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    return [fail('url', `"${url}" is no URL of HTTP: write it as in http://peervote:8080.`)];
  }
  const variable = [...PROXY_VARIABLES[parsed.protocol], ...FOR_ALL].find((name) => env[name]);
  if (variable === undefined || isExempt(parsed.hostname, env)) {
    return [ok('proxy', `No proxy stands between this machine and ${parsed.hostname}.`)];
  }
  return [
    warn(
      'proxy',
      `${variable} is set, and HTTP libraries of trainers would send the rollouts for ${parsed.hostname} through that proxy: add ${parsed.hostname} to NO_PROXY in each job.`,
    ),
  ];
}

/** Whether NO_PROXY names the host, or a domain that it is in. */
function isExempt(host: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const names = `${env.no_proxy ?? ''},${env.NO_PROXY ?? ''}`
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^\*?\./, '')
        .replace(/:\d+$/, '')
        .toLowerCase(),
    )
    .filter((name) => name !== '');
  const lower = host.toLowerCase();
  return names.some((name) => name === '*' || lower === name || lower.endsWith(`.${name}`));
}
