import { createHash, createHmac } from "node:crypto"
import { Failure } from "../failure.js"
import type { Former, FormerAccount, FormerPasskey, FormerSession, FormerUser } from "./former.js"
import { byColumn, dateOf, isTrue, type Row, type Tables, textOf } from "./tables.js"
import { openXChaCha } from "./xchacha.js"

type Variables = Readonly<Record<string, string | undefined>>

/** Reads the tables of Better Auth 1, with those of its plugins for passkeys and two factors. @throws Failure */
export async function readBetterAuth(tables: Tables, variables: Variables): Promise<Former> {
  const users = await tables.rows("user")
  const accounts = await tables.rows("account")
  if (users === undefined || accounts?.some((row) => !("providerId" in row)) !== false)
    throw new Failure('The database has no tables "user" and "account" of Better Auth. Check --from.')
  const [sessions, passkeys, factors] = await Promise.all(
    ["session", "passkey", "twoFactor"].map((name) => tables.rows(name)),
  )
  const of = {
    accounts: byColumn(accounts, "userId"),
    sessions: byColumn(sessions ?? [], "userId"),
    passkeys: byColumn(passkeys ?? [], "userId"),
    factors: byColumn(factors ?? [], "userId"),
  }
  const secrets = secretsIn(variables)
  if (secrets.current === undefined && [sessions, factors].some((rows) => rows !== undefined && rows.length > 0))
    throw new Failure(
      "BETTER_AUTH_SECRET isn't set. It opens the keys of authenticator apps, and signs session cookies.",
    )
  return { users: users.map((row) => userIn(row, of, secrets)), notes: notesOn(users, factors ?? []) }
}

type Of = Readonly<Record<"accounts" | "sessions" | "passkeys" | "factors", (userId: string) => readonly Row[]>>

function userIn(row: Row, of: Of, secrets: Secrets): FormerUser {
  const id = textOf(row["id"]) ?? ""
  const isPassword = ({ providerId }: Row) => providerId === "credential"
  const rows = of.accounts(id)
  return {
    id,
    email: textOf(row["email"]),
    emailVerified: isTrue(row["emailVerified"]) ? (dateOf(row["updatedAt"]) ?? new Date()) : null,
    name: textOf(row["name"]) ?? null,
    image: textOf(row["image"]) ?? null,
    obstacle: isTrue(row["banned"]) ? "They are banned" : undefined,
    accounts: rows.filter((account) => !isPassword(account)).map(accountIn),
    hash: textOf(rows.find(isPassword)?.["password"]),
    app: isTrue(row["twoFactorEnabled"]) ? appIn(of.factors(id), secrets) : undefined,
    passkeys: of.passkeys(id).map(passkeyIn),
    sessions: of.sessions(id).flatMap((session) => sessionIn(session, secrets)),
  }
}

function accountIn(row: Row): FormerAccount {
  return { provider: textOf(row["providerId"]) ?? "", providerAccountId: textOf(row["accountId"]) ?? "" }
}

/** Users may have begun to set an app up, and not proven it. Older versions have no column for that. */
function appIn([factor]: readonly Row[], secrets: Secrets): string | undefined {
  const { secret, verified } = factor ?? {}
  const isProven = verified === undefined || verified === null || isTrue(verified)
  return typeof secret === "string" && isProven ? base32(opened(secret, secrets)) : undefined
}

function passkeyIn(row: Row): FormerPasskey {
  return {
    credentialID: Buffer.from(textOf(row["credentialID"]) ?? "", "base64url").toString("base64"),
    publicKey: Buffer.from(textOf(row["publicKey"]) ?? "", "base64").toString("base64"),
    counter: Number(row["counter"]),
    deviceType: textOf(row["deviceType"]) ?? "singleDevice",
    isBackedUp: isTrue(row["backedUp"]),
    transports: textOf(row["transports"]) ?? null,
    name: textOf(row["name"]) ?? null,
    createdAt: dateOf(row["createdAt"]),
  }
}

/** The cookie is the token and its signature. */
function sessionIn(row: Row, { current }: Secrets): readonly FormerSession[] {
  const [token, expires] = [textOf(row["token"]), dateOf(row["expiresAt"])]
  if (token === undefined || expires === undefined || current === undefined) return []
  return [{ token: `${token}.${createHmac("sha256", current).update(token).digest("base64")}`, expires }]
}

interface Secrets {
  /** Signs cookies. */
  readonly current: string | undefined
  /** `BETTER_AUTH_SECRET`, which sealed what has no version. */
  readonly unversioned: string | undefined
  readonly byVersion: ReadonlyMap<string, string>
}

/** `BETTER_AUTH_SECRETS` is `<version>:<secret>,…`, the current one first. */
function secretsIn(variables: Variables): Secrets {
  const unversioned = variables["BETTER_AUTH_SECRET"]
  const listed = (variables["BETTER_AUTH_SECRETS"] ?? "").split(",").filter((entry) => entry.includes(":"))
  const pairs = listed.map((entry) => {
    const [version = ""] = entry.split(":", 1)
    return [version.trim(), entry.slice(version.length + 1).trim()] as const
  })
  return { current: pairs[0]?.[1] ?? unversioned, unversioned, byVersion: new Map(pairs) }
}

/** `$ba$<version>$<sealed>`, or the sealed bytes alone, in hexadecimal. */
function opened(text: string, { unversioned, byVersion }: Secrets): Buffer {
  const [, version, sealed = text] = /^\$ba\$(\d+)\$(.*)$/.exec(text) ?? []
  const secret = version === undefined ? unversioned : byVersion.get(version)
  const name = version === undefined ? "BETTER_AUTH_SECRET" : `version ${version} of BETTER_AUTH_SECRETS`
  try {
    return openXChaCha(
      createHash("sha256")
        .update(secret ?? "")
        .digest(),
      Buffer.from(sealed, "hex"),
    )
  } catch (cause) {
    throw new Failure(`The key of an authenticator app can't be opened with ${name}. Set the secret that sealed it.`, {
      cause,
    })
  }
}

/** Better Auth takes the characters of the key for its bytes. */
function base32(bytes: Uint8Array): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("")
}

const moved = new Set(["id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "twoFactorEnabled"])
const banning = new Set(["banned", "banReason", "banExpires"])

function notesOn(users: readonly Row[], factors: readonly Row[]): readonly string[] {
  const columns = Object.keys(users[0] ?? {}).filter((name) => !moved.has(name) && !banning.has(name))
  return [
    ...(columns.length === 0 ? [] : [`Columns of users that aren't moved: ${columns.join(", ")}`]),
    ...(factors.length === 0 ? [] : ["Recovery codes aren't moved. Users make new ones on the account page"]),
    "Tokens of providers aren't moved. Users get new ones at the next sign-in",
  ]
}
