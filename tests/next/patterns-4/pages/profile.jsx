import { useSession } from "next-auth/react"
import { basePath } from "../lib/base-path"

export const getServerSideProps = async () => ({ props: { basePath: basePath() } })

export default function Profile() {
  const { data, status, update } = useSession({ required: true })
  if (status === "loading") return <p>Loading…</p>
  return (
    <>
      <p id="user">{JSON.stringify({ ...data.user, tenant: data.tenant })}</p>
      <button onClick={() => update({ name: "Ada L." })}>Rename</button>
    </>
  )
}
