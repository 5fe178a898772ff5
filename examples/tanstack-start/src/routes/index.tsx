import { createFileRoute, Link } from "@tanstack/react-router"
import { getSession, signIn, signOut } from "../auth.functions"

export const Route = createFileRoute("/")({
  loader: async () => ({ email: (await getSession())?.user.email }),
  component: Home,
})

function Home() {
  const { email } = Route.useLoaderData()
  return (
    <>
      <h1>Welcome</h1>
      <p id="user">{email ?? "Not signed in"}</p>
      {email === undefined ? (
        <form id="sign-in" method="post" action={signIn.url}>
          <p>
            The <Link to="/account">account page</Link> needs a session.
          </p>
          <button>Sign in</button>
        </form>
      ) : (
        <form id="sign-out" method="post" action={signOut.url}>
          <button className="quiet">Sign out</button>
        </form>
      )}
    </>
  )
}
