/** The error of a call that must fail. */
export async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error("The call didn't fail")
}

/** Everything that a log of the error can contain. */
export function textsOf(error: unknown): string {
  const seen: unknown[] = []
  for (let next = error; next !== undefined && !seen.includes(next); next = Object(next).cause) seen.push(next)
  return seen
    .map((each) => `${String(each)} ${JSON.stringify(each, Object.getOwnPropertyNames(Object(each)))}`)
    .join(" ")
}
