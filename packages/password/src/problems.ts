import { knownFields } from "./flows/fields.js"
import type { PasswordOptions } from "./options.js"

/** Problems of the options, each with what to do. */
export function problemsOf({
  minLength,
  secondFactor,
  signUp = "open",
  fields = {},
  pepper = [],
  hashing = {},
}: PasswordOptions): readonly string[] {
  return [
    // Anything else would count as closed.
    ...(["open", "invitation", "closed"].includes(signUp)
      ? []
      : [`\`signUp\` is ${signUp}. Use "open", "invitation" or "closed"`]),
    ...Object.entries(fields).flatMap(([name, { label }]) => fieldProblems(name, label !== undefined)),
    ...lengthProblems(minLength, secondFactor === undefined),
    ...pepper.flatMap(({ id, secret }) =>
      /^[A-Za-z0-9.-]{1,32}$/.test(id) && secret.length >= 32
        ? []
        : [
            "`pepper` has an entry without a usable id or secret. Use letters, digits, `.` and `-`, and at least 32 characters",
          ],
    ),
    ...(new Set(pepper.map(({ id }) => id)).size < pepper.length
      ? ["Two entries of `pepper` have the same id. Rename one"]
      : []),
    ...Object.entries(hashing).flatMap(([name, value]) =>
      value === undefined || (Number.isInteger(value) && value >= (name === "parallel" ? 1 : 0))
        ? []
        : [`\`hashing.${name}\` isn't a number of hashes. Use an integer`],
    ),
  ]
}

function lengthProblems(minLength: number | undefined, isOnlyFactor: boolean): readonly string[] {
  const least = isOnlyFactor ? 15 : 8
  if (minLength === undefined || (Number.isInteger(minLength) && minLength >= least && minLength <= 64)) return []
  const otherwise = isOnlyFactor ? ", or name the `secondFactor`" : ""
  return [`\`minLength\` is ${minLength}. Use an integer from ${least} to 64${otherwise}`]
}

/** Other fields of the same forms. */
const taken = [
  "email",
  "password",
  "newPassword",
  "step",
  "endOthers",
  "callbackUrl",
  "csrfToken",
  "constructor",
  "username",
]

function fieldProblems(name: string, hasLabel: boolean): readonly string[] {
  if (!/^[a-zA-Z]\w{0,39}$/.test(name) || taken.includes(name))
    return [`\`fields\` can't have the name \`${name}\`. Use another one, of letters, digits and \`_\``]
  return hasLabel || knownFields.has(name) ? [] : [`\`fields.${name}\` has no \`label\`. Add one`]
}
