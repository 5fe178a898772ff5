import type { Finding } from "./finding.js"

/** Names of variables that contain a secret, also within a URL. */
const secretNames = /SECRET|PASSW|TOKEN|_KEY$|_SERVER$|_DSN$|_UR[IL]$/

/** A shorter value could be part of an ordinary word. */
const minLength = 8

/**
 * The findings without secrets of the environment. A finding quotes errors of the application and of its libraries, such as
 * one of a database that repeats its URL.
 */
export function withoutSecrets(findings: readonly Finding[], variables: Variables): Finding[] {
  const clean = redactor(variables)
  return findings.map((finding) => ({
    ...finding,
    message: clean(finding.message),
    ...(finding.fix !== undefined && { fix: clean(finding.fix) }),
  }))
}

type Variables = Readonly<Record<string, string | undefined>>

/** Replaces secrets of the environment in a text. */
export function redactor(variables: Variables): (text: string) => string {
  const secrets = Object.entries(variables).flatMap(([name, value = ""]) =>
    secretNames.test(name) ? partsOf(value) : [],
  )
  const forms = secrets.filter(({ length }) => length >= minLength).flatMap(formsOf)
  const longestFirst = [...new Set(forms)].toSorted((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, "[redacted]"), text)
}

/** Of a URL only the password is secret: findings name the URLs of the application. */
function partsOf(value: string): readonly string[] {
  if (!URL.canParse(value)) return [value]
  const { password, searchParams } = new URL(value)
  const params = [...searchParams].flatMap(([name, param]) => (secretNames.test(name.toUpperCase()) ? [param] : []))
  return [password, decoded(password), ...params]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ]
}
