import { signOut } from "next-auth/react"
import { basePath } from "../../lib/base-path"

export const getServerSideProps = async () => ({ props: { basePath: basePath() } })

export default function Logout() {
  return <button onClick={() => signOut({ callbackUrl: "/auth/login" })}>Sign out</button>
}
