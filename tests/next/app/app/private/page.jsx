import { cookies } from "next/headers"
import { SessionJson } from "../session-json.jsx"

export default async function Private() {
  const jar = await cookies()
  return (
    <main>
      <h1>the private page</h1>
      <SessionJson />
      <pre id="cookie">{jar.get("authjs.session-token")?.value}</pre>
    </main>
  )
}
