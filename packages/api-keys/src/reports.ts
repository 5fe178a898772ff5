import { sha256 } from "@latchkey/core/module"
import type { Background } from "./context.js"
import { parseKey } from "./key-text.js"
import { endKey, startOf } from "./keys.js"
import { notify } from "./notices.js"
import type { Settings } from "./options.js"
import { isSigned } from "./report-signature.js"
import { endOf } from "./secrets.js"

/** More in one report aren't looked at. */
const mostKeys = 1000

/**
 * Revokes keys that leaked. Only a whole key counts: the id alone is public.
 *
 * @returns how many were revoked
 */
export async function revokeReported(
  settings: Settings,
  context: Background,
  texts: readonly string[],
): Promise<number> {
  let revoked = 0
  for (const text of new Set(texts.slice(0, mostKeys))) if (await revokeOne(settings, context, text)) revoked++
  return revoked
}

async function revokeOne({ prefix }: Settings, context: Background, text: string): Promise<boolean> {
  const { records, users, emit } = context
  const typed = parseKey(prefix, text.trim())
  const found = typed === undefined ? null : await records.key.get({ id: typed.id })
  if (typed === undefined || found === null) return false
  // A secret that has ended counts as well: who let it leak may have let others leak.
  if (endOf(found, await sha256(typed.secret)) === undefined) return false
  const key = await endKey(context, { id: typed.id })
  if (key === null) return false
  const { userId, id, name } = key
  await emit("reported", { id: userId }, { data: { keyId: id } })
  const to = (await users.byId(userId))?.email
  const values = () => ({ name: `${name} (${startOf(prefix, key)})` })
  await notify(context, { userId, to, notice: "mailReported", values })
  return true
}

/** Bytes of a report. */
const longestReport = 1_048_576

/** Takes a report of GitHub. Its signature is of the bytes of the body, so they're read here. */
export async function takeReport(settings: Settings, context: Background, request: Request): Promise<Response> {
  const { secretScanning } = settings
  if (secretScanning === undefined) throw new TypeError("apiKeys: set `secretScanning` to take reports of leaked keys")
  if (request.method !== "POST") return answer(405, { allow: "POST" })
  const body = await bytesOf(request)
  if (body === undefined) return answer(413)
  const signature = {
    keyId: request.headers.get("github-public-key-identifier") ?? "",
    signature: request.headers.get("github-public-key-signature") ?? "",
  }
  if (!(await isSigned(secretScanning, signature, body))) return answer(401)
  const texts = textsIn(body)
  if (texts === undefined) return answer(400)
  await revokeReported(settings, context, texts)
  return answer(204)
}

function answer(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { "cache-control": "no-store", ...headers } })
}

/** `undefined`: there are too many. */
async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.headers.get("content-length")) > longestReport) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > longestReport) return undefined
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** `undefined`: it isn't a list of matches. */
function textsIn(body: Uint8Array): readonly string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body))
    if (!Array.isArray(parsed)) return undefined
    return parsed.flatMap((match: unknown) => {
      const token: unknown = typeof match === "object" && match !== null ? Reflect.get(match, "token") : undefined
      return typeof token === "string" ? [token] : []
    })
  } catch {
    return undefined
  }
}
