import { account } from "../../../auth.js"

export default async function Sessions() {
  const sessions = await account.sessions()
  return <p id="sessions">{sessions.length}</p>
}
