// What can go wrong with a call: the server refused it, or the server could not be asked.

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | null;

  constructor(status: number, code: string, message: string, retryAfter: number | null = null) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  get isGone(): boolean {
    return this.status === 404;
  }

  get mayWorkLater(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** The server could not be reached, or its answer broke off. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached.', { cause });
    this.name = 'Unreachable';
  }
}

export function isPassing(problem: unknown): boolean {
  return problem instanceof Unreachable || (problem instanceof ApiError && problem.mayWorkLater);
}

/** The error that an answer tells; our server says code and message, a proxy in between may say anything. */
export async function errorOf(response: Response): Promise<ApiError> {
  const told = (await response.json().catch(() => null)) as { code?: string; message?: string } | null;
  const wait = Number(response.headers.get('retry-after'));
  return new ApiError(
    response.status,
    told?.code ?? '',
    told?.message ?? '',
    Number.isFinite(wait) && wait > 0 ? wait : null,
  );
}
