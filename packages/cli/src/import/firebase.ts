import { readFileSync } from "node:fs"
import { wrongUsage } from "../failure.js"

/** What the hashes of a project of Firebase have in common. */
export interface FirebaseParameters {
  /** Base64. */
  readonly signerKey: string
  /** Base64. */
  readonly separator: string
  readonly rounds: number
  readonly memCost: number
}

/**
 * Reads the parameters as the console of Firebase shows them, `hash_config { … }`, or the same names as JSON.
 *
 * @throws Failure that doesn't quote the file
 */
export function firebaseParametersIn(file: string): FirebaseParameters {
  const text = readText(file)
  const valueOf = (name: string) => new RegExp(`"?${name}"?\\s*:\\s*"?([^",\\s}]+)`).exec(text)?.[1]
  const signerKey = valueOf("base64_signer_key")
  const [rounds, memCost] = [Number(valueOf("rounds")), Number(valueOf("mem_cost"))]
  if (signerKey === undefined || !Number.isInteger(rounds) || !Number.isInteger(memCost))
    throw wrongUsage(
      `${file} lacks base64_signer_key, rounds or mem_cost. Copy the whole hash_config from the Firebase console.`,
    )
  return { signerKey, separator: valueOf("base64_salt_separator") ?? "", rounds, memCost }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    throw wrongUsage(`${file} can't be read. Pass the file with the parameters of Firebase.`)
  }
}
