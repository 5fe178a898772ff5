import * as authjs from "@auth/core/errors"
import * as latchkey from "@latchkey/core/errors"
import fc from "fast-check"
import { createSubject, type Definition, outcomeOf, plain, type Subject } from "./subject.js"

interface Args {
  readonly name: string
  readonly given: readonly unknown[]
}

type Class = new (...args: readonly unknown[]) => Error

function isClass([, value]: readonly [string, unknown]): boolean {
  return typeof value === "function" && value.prototype instanceof Error
}

/** The names of all errors of Auth.js. */
const names = Object.entries(authjs)
  .filter(isClass)
  .map(([name]) => name)

const inner = new TypeError("inner")
const nested = new Error("outer", { cause: { provider: "op" } })
const details = [undefined, {}, { provider: "op" }, { cause: inner }, { cause: { err: inner } }, inner, nested]

const args: fc.Arbitrary<Args> = fc.record({
  name: fc.constantFrom(...names),
  given: fc.oneof(
    fc.constant([]),
    fc.constantFrom(...details).map((first) => [first]),
    fc.constantFrom(...details).map((second) => ["The text", second]),
    fc.constantFrom(...details).map((second) => [inner, second]),
  ),
})

function calling(exports: object): Definition<Args>["ours"] {
  return ({ name, given }) =>
    outcomeOf(() => {
      const Class = Reflect.get(exports, name) as Class
      const error = new Class(...given)
      const { message, cause } = error
      return {
        name: error.name,
        type: Reflect.get(error, "type"),
        kind: Reflect.get(error, "kind"),
        code: Reflect.get(error, "code"),
        message,
        cause,
        string: String(error),
        isError: error instanceof Error,
        isAuthError: error instanceof (Reflect.get(exports, "AuthError") as Class),
        isSignInError: error instanceof (Reflect.get(exports, "SignInError") as Class),
        isClientError: (Reflect.get(exports, "isClientError") as (error: Error) => boolean)(error),
      }
    })
}

/** The details of what an error got, and the last error in it as `err`. */
function detailsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (Object(given) !== given) return {}
  const { cause, ...details } = Object(given)
  return given instanceof Error ? { ...detailsOf(cause), err: given } : { ...details, ...detailsOf(cause) }
}

export const errors: Subject = createSubject<Args>({
  name: "errors",
  args,
  theirs: calling(authjs),
  ours: calling(latchkey),
  rows: {
    "error-texts": ({ where, theirs }) =>
      ["result.message", "result.string"].includes(where) && String(theirs).includes("https://errors.authjs.dev"),
    "error-causes": ({ where, ours }, { given }) => {
      const [, root, field] = where.split(".")
      const details: unknown = plain(Object.assign({}, ...given.map(detailsOf)))
      const expected: unknown = field === undefined ? details : Reflect.get(Object(details), field)
      return root === "cause" && JSON.stringify(ours) === JSON.stringify(expected)
    },
    "error-kinds": ({ where }, { name }) =>
      ["OAuthSignInError", "OAuthProfileParseError", "EmailSignInError"].includes(name) &&
      ["result.kind", "result.isSignInError", "result.isClientError"].includes(where),
  },
})
