import { cookies } from "next/headers"
import { Who } from "../who.jsx"

export default async function Private() {
  const jar = await cookies()
  return (
    <main>
      <h1>the private page</h1>
      <Who />
      <pre id="cookie">{jar.get("authjs.session-token")?.value}</pre>
    </main>
  )
}
