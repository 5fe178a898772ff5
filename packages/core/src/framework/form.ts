/** The fields of a form, without files, or the options that a function of the application got instead of one. */
export function fieldsIn(given: FormData | URLSearchParams): Readonly<Record<string, string>>
export function fieldsIn(
  given: FormData | URLSearchParams | Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>>
export function fieldsIn(
  given: FormData | URLSearchParams | Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!isForm(given)) return given
  return Object.fromEntries([...given].filter(([, value]) => typeof value === "string"))
}

function isForm(given: object): given is FormData | URLSearchParams {
  return given instanceof FormData || given instanceof URLSearchParams
}
