import { existsSync, readFileSync } from "node:fs"
import { Failure, reasonOf } from "../failure.js"

/** Somebody to sign in as. What is there besides becomes a claim of the same name. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly claims: Readonly<Record<string, unknown>>
}

export const threePeople: readonly Person[] = [
  person({ id: "ada", name: "Ada Lovelace", email: "ada@example.com" }),
  person({ id: "grace", name: "Grace Hopper", email: "grace@example.com" }),
  person({ id: "alan", name: "Alan Turing", email: "alan@example.com", email_verified: false }),
]

function person(given: { id: string; name: string; email: string; [claim: string]: unknown }): Person {
  const { id, name, email, ...others } = given
  return { id, name, email, claims: { name, email, email_verified: true, ...others } }
}

/** @throws Failure that says what the file should look like */
export function readPeople(path: string): readonly Person[] {
  if (!existsSync(path)) throw new Failure(`${path} is not there: name a JSON file with people`, { code: 2 })
  const shape = 'write an array such as [{ "id": "ada", "name": "Ada Lovelace", "email": "ada@example.com" }]'
  let list: unknown
  try {
    list = JSON.parse(readFileSync(path, "utf8"))
  } catch (cause) {
    throw new Failure(`${path} is not JSON (${reasonOf(cause)}): ${shape}`, { code: 2, cause })
  }
  if (!Array.isArray(list) || list.length === 0) throw new Failure(`${path} has no people in it: ${shape}`, { code: 2 })
  const people = list.map((one: unknown, index) => {
    if (!isPerson(one))
      throw new Failure(`Person ${index + 1} in ${path} has no id, name and email: ${shape}`, { code: 2 })
    return person(one)
  })
  const twice = people.find(({ id }, index) => people.findIndex((other) => other.id === id) !== index)
  if (twice !== undefined) throw new Failure(`Two people in ${path} have the id "${twice.id}": rename one`, { code: 2 })
  return people
}

function isPerson(value: unknown): value is { id: string; name: string; email: string } {
  if (typeof value !== "object" || value === null) return false
  const { id, name, email }: { id?: unknown; name?: unknown; email?: unknown } = value
  return [id, name, email].every((text) => typeof text === "string" && text !== "")
}
