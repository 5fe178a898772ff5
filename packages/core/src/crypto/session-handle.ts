import { authenticate } from "./digest.js"

/** Names a session where its token, or the hash of it, must not appear: on a page, and in an audit log. */
export async function sessionHandle(
  { secrets }: { readonly secrets: readonly string[] },
  key: string,
): Promise<string> {
  return (await authenticate(secrets[0] ?? "", "session id", key)).slice(0, 32)
}
