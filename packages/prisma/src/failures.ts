import { UniqueViolation } from "@latchkey/core/adapters"

/** Codes of Prisma's errors: https://www.prisma.io/docs/orm/reference/error-reference */
const advice: Readonly<Record<string, string>> = {
  P2000: "A value doesn't fit into its column. Use a wider type in your schema.",
  P2003: "There is no user with this userId. Create the user first.",
  P2020: "A value doesn't fit into its column. Use a wider type in your schema.",
  P2021: "A table is missing. Run `prisma migrate deploy`.",
  P2022: "A column is missing. Run `prisma migrate deploy`.",
}

/** An explained error about a query that Prisma doesn't accept, because of this argument. */
export function isInvalid(error: unknown, argument: string): boolean {
  const cause: unknown = Reflect.get(Object(error), "cause")
  return cause instanceof Error && !reachedDatabase(cause) && cause.message.includes(`\`${argument}`)
}

/** Prisma rejects a query that doesn't match the schema itself, and a row without its relation. */
export function reachedDatabase(error: unknown): boolean {
  return error instanceof Error && error.name !== "PrismaClientValidationError" && !isOrphan(error)
}

/**
 * Whether an explained error of a read means that there's no such row: PostgreSQL rejects a comparison with a value that the
 * column can't have, such as a text that isn't a UUID. Prisma 6 rejects a row whose relation is gone.
 */
export function findsNone(error: unknown): boolean {
  const cause: unknown = Reflect.get(Object(error), "cause")
  if (!(cause instanceof Error)) return false
  const code = codeOf(cause)
  // In Prisma 6, P2023 also stands for a row that can't be read.
  const isMisfit = code === "P2007" || code === "P2020" || (code === "P2023" && cause.message.includes("UUID"))
  return isMisfit || isOrphan(cause)
}

function isOrphan({ message }: Error): boolean {
  return message.includes("is required to return data, got `null` instead")
}

/**
 * Replaces the errors of Prisma. They can contain all values of the query, which can be session tokens, so only their code and
 * their reason are kept.
 */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error) || !isPrisma(error)) return error
  const code = codeOf(error)
  if (code === "P2002")
    return new UniqueViolation(`The row already exists${subjectOf(error)}. Read it and use that row.`)
  const message = typeof code === "string" ? advice[code] : undefined
  return new Error(message ?? `Prisma failed: ${reasonOf(error)}`, { cause: withoutValues(error) })
}

function isPrisma(error: Error): boolean {
  return error.name.startsWith("PrismaClient") || error.name === "DriverAdapterError"
}

function codeOf(error: unknown): unknown {
  return Reflect.get(Object(error), "code")
}

/** The last line of the message. The lines before it are the query, with its values. */
function reasonOf(error: unknown): string {
  const { message = "" } = Object(error) as { message?: string }
  return message.trim().split("\n").at(-1) ?? ""
}

function withoutValues(error: Error): Error {
  const copy: Error & { code?: unknown } = new Error(reasonOf(error))
  copy.name = error.name
  const code = codeOf(error)
  if (code !== undefined) copy.code = code
  return copy
}

/** The fields or the constraint. Driver adapters of Prisma 7 have them deeper in the error. */
function subjectOf(error: Error): string {
  const meta: unknown = Reflect.get(error, "meta")
  const constraint = at(meta, "target") ?? at(meta, "driverAdapterError", "cause", "constraint")
  const names = at(constraint, "fields") ?? at(constraint, "index") ?? constraint
  if (Array.isArray(names)) return ` (${names.join(", ")})`
  return typeof names === "string" ? ` (${names})` : ""
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => Reflect.get(Object(found), name), value)
}
