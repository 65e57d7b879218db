import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';

/** What the service was asked to run. */
interface RunRequest {
  readonly code: string;
  readonly language: string;
  readonly run_timeout: number;
}

type Answer = (request: RunRequest) => Promise<object>;

/** A small service with the shape of SandboxFusion's `POST /run_code`, on a free port of this machine. */
export class CodeService {
  readonly #server: Server;
  /** Requests that came. */
  asked = 0;
  /** The programs in them. */
  readonly programs: string[] = [];

  private constructor(answer: Answer) {
    this.#server = createServer(async (request, response) => {
      this.asked += 1;
      const asked = request.url === '/api/run_code' ? ((await json(request)) as RunRequest) : null;
      if (asked !== null) this.programs.push(asked.code);
      const body = asked === null ? null : await answer(asked);
      response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  }

  /** One that runs Python of this machine. Its programs must be harmless. */
  static running(): Promise<CodeService> {
    return CodeService.#open(runPython);
  }

  /** One that takes requests and never answers. */
  static silent(): Promise<CodeService> {
    return CodeService.#open(() => new Promise(() => {}));
  }

  /** One that answers the same to all. */
  static saying(answer: object): Promise<CodeService> {
    return CodeService.#open(async () => answer);
  }

  /** One that answers its first request with this, and no other. */
  static once(answer: object): Promise<CodeService> {
    let isFirst = true;
    return CodeService.#open(async () => {
      if (!isFirst) return new Promise(() => {});
      isFirst = false;
      return answer;
    });
  }

  static async #open(answer: Answer): Promise<CodeService> {
    const service = new CodeService(answer);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function runPython({ code, run_timeout }: RunRequest): Promise<object> {
  // In a process group of its own: what the program has started ends with it.
  const child = spawn('python3', ['-'], { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const endAll = () => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endAll();
  }, run_timeout * 1_000);
  child.stdin.on('error', () => {});
  child.stdin.end(code);
  const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [stdout, status] = await Promise.all([text(child.stdout), exit]);
  clearTimeout(timer);
  endAll();
  return {
    status: status === 0 ? 'Success' : 'Failed',
    message: '',
    run_result: {
      status: isLate ? 'TimeLimitExceeded' : 'Finished',
      execution_time: 0.1,
      return_code: status,
      stdout,
      stderr: '',
    },
  };
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended by itself.
  }
}
