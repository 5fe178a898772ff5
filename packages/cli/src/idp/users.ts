import { readFileSync } from "node:fs"
import { Failure, reasonOf } from "../failure.js"
import { isFile } from "../project/files.js"

/** A user of the provider. Members of the file besides `id` become claims. */
export interface User {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly claims: Readonly<Record<string, unknown>>
}

export const defaultUsers: readonly User[] = [
  user({ id: "ada", name: "Ada Lovelace", email: "ada@example.com" }),
  user({ id: "grace", name: "Grace Hopper", email: "grace@example.com" }),
  user({ id: "alan", name: "Alan Turing", email: "alan@example.com", email_verified: false }),
]

interface UserRecord {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly [claim: string]: unknown
}

function user({ id, name, email, ...others }: UserRecord): User {
  return { id, name, email, claims: { name, email, email_verified: true, ...others } }
}

/** @throws Failure that shows what the file should look like */
export function readUsers(path: string): readonly User[] {
  if (!isFile(path)) throw new Failure(`There is no file ${path}. Pass a JSON file with users.`, { code: 2 })
  const shape = 'Write an array such as [{ "id": "ada", "name": "Ada Lovelace", "email": "ada@example.com" }].'
  let list: unknown
  try {
    list = JSON.parse(readFileSync(path, "utf8"))
  } catch (cause) {
    throw new Failure(`${path} isn't JSON (${reasonOf(cause)}). ${shape}`, { code: 2, cause })
  }
  if (!Array.isArray(list) || list.length === 0) throw new Failure(`${path} has no users. ${shape}`, { code: 2 })
  const users = list.map((one: unknown, index) => {
    if (!isUserRecord(one))
      throw new Failure(`User ${index + 1} in ${path} needs an id, a name and an email. ${shape}`, { code: 2 })
    return user(one)
  })
  const repeated = users.find(({ id }, index) => users.findIndex((other) => other.id === id) !== index)
  if (repeated !== undefined)
    throw new Failure(`Two users in ${path} have the id "${repeated.id}". Rename one.`, { code: 2 })
  return users
}

function isUserRecord(value: unknown): value is UserRecord {
  if (typeof value !== "object" || value === null) return false
  const { id, name, email }: { id?: unknown; name?: unknown; email?: unknown } = value
  return [id, name, email].every((text) => typeof text === "string" && text !== "")
}
