import { useSession } from "@latchkey/next/react"
import type { GetServerSideProps, InferGetServerSidePropsType } from "next"
import { useState } from "react"
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
  const [problem, setProblem] = useState<string>()
  // The newest: `update` changes it without a new page.
  const { user, isGuest } = data ?? session
  return (
    <>
      <h1>Your account</h1>
      <dl>
        <dt>Name</dt>
        <dd id="name">{user.name ?? "–"}</dd>
        <dt>E-mail</dt>
        <dd>{user.email ?? "–"}</dd>
        <dt>Kind</dt>
        <dd>{isGuest ? "guest" : "member"}</dd>
      </dl>
      <form
        onSubmit={async (event) => {
          event.preventDefault()
          const renewed = await update({ user: { name } })
          setProblem(renewed === null ? "That did not work. Please try again." : undefined)
        }}
      >
        <label>
          Another name
          <input value={name} onChange={(event) => setName(event.target.value)} maxLength={60} required />
        </label>
        <button>Rename</button>
        {problem !== undefined && <p role="alert">{problem}</p>}
      </form>
    </>
  )
}
