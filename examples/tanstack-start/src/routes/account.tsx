import { createFileRoute } from "@tanstack/react-router"
import { rename, requireSession } from "../auth.functions"

export const Route = createFileRoute("/account")({
  beforeLoad: async ({ location }) => ({ session: await requireSession({ data: location.publicHref }) }),
  loader: ({ context: { session } }) => ({ email: session.user.email, name: session.user.name }),
  component: Account,
})

function Account() {
  const { email, name } = Route.useLoaderData()
  return (
    <>
      <h1>Your account</h1>
      <p id="account">{email}</p>
      <p id="name">{name}</p>
      <form id="rename" method="post" action={rename.url} className="fields">
        <label>
          New name
          <input name="name" required maxLength={60} />
        </label>
        <button>Rename</button>
      </form>
    </>
  )
}
