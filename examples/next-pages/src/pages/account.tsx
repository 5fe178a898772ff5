import { useSession } from "@latchkey/next/react"
import type { GetServerSideProps, InferGetServerSidePropsType } from "next"
import { useState } from "react"
import { AddPasskey } from "@/add-passkey"
import { auth } from "@/auth"

export const getServerSideProps = (async (context) => {
  const session = await auth(context)
  if (session === null) {
    return {
      redirect: { destination: `/api/auth/signin?callbackUrl=${encodeURIComponent("/account")}`, permanent: false },
    }
  }
  return { props: { session } }
}) satisfies GetServerSideProps

export default function Account({ session }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  const { data, update } = useSession<typeof auth>()
  const [name, setName] = useState(session.user.name ?? "")
  const [error, setError] = useState<string>()
  // After `update`, `data` is newer than the prop.
  const { user, isGuest } = data ?? session
  return (
    <>
      <h1>Your account</h1>
      <dl>
        <dt>Name</dt>
        <dd id="name">{user.name ?? "–"}</dd>
        <dt>Email</dt>
        <dd>{user.email ?? "–"}</dd>
        <dt>Role</dt>
        <dd>{isGuest ? "guest" : "member"}</dd>
      </dl>
      <form
        onSubmit={async (event) => {
          event.preventDefault()
          const updated = await update({ user: { name } })
          setError(updated === null ? "Something went wrong. Please try again." : undefined)
        }}
      >
        <label>
          Change your name
          <input value={name} onChange={(event) => setName(event.target.value)} maxLength={60} required />
        </label>
        <button>Save</button>
        {error !== undefined && <p role="alert">{error}</p>}
      </form>
      {/* A guest isn't in the database. */}
      {!isGuest && <AddPasskey />}
    </>
  )
}
