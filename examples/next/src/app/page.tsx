import { auth } from "@/auth"

export default async function Home() {
  const session = await auth()
  return (
    <>
      <section className="hero">
        <h1>Berths for every boat</h1>
        <p>Book a berth in seconds. The harbor master expects you.</p>
        <p>
          {session === null ? (
            <a href="/api/auth/password/sign-up?callbackUrl=/dashboard" className="button">
              Create an account
            </a>
          ) : (
            <a href="/dashboard" className="button">
              Your berths
            </a>
          )}
        </p>
      </section>
      <ul className="cards">
        <li>
          <h2>Sign in your way</h2>
          <p>With a password, or with a link that we email you.</p>
        </li>
        <li>
          <h2>A second step</h2>
          <p>Set up an authenticator app on your account page.</p>
        </li>
        <li>
          <h2>An API</h2>
          <p>
            <code>/api/berths</code> lists your berths as JSON.
          </p>
        </li>
      </ul>
    </>
  )
}
