import { SessionJson } from "../session-json.jsx"
import { Passkeys } from "../../passkeys.jsx"

export default function Page() {
  return (
    <main>
      <SessionJson />
      <Passkeys />
    </main>
  )
}
