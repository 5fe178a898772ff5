/** A Lua script. Redis runs it in one atomic step. */
export interface Script {
  readonly text: string
}

const hashes = new WeakMap<Script, Promise<string>>()

/** The SHA-1 by which Redis knows a script. */
export function sha1Of(script: Script): Promise<string> {
  const known = hashes.get(script)
  if (known !== undefined) return known
  const hash = hexOf("SHA-1", script.text)
  hashes.set(script, hash)
  return hash
}

export async function hexOf(algorithm: "SHA-1" | "SHA-256", text: string): Promise<string> {
  const digest = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
