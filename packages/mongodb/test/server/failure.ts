/** An error that the server sends, with its code: https://www.mongodb.com/docs/manual/reference/error-codes/ */
export class Failure extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** So that a test can't pass because the stand-in ignores something. */
export function unsupported(what: string): Failure {
  return new Failure(238, `The stand-in doesn't implement ${what}`)
}
