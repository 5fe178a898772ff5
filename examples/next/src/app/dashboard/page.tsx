import type { Metadata } from "next"
import Link from "next/link"
import { revalidatePath } from "next/cache"
import { requireSession } from "@/auth"
import { berthsOf, bookBerth } from "@/database"

export const metadata: Metadata = { title: "Your berths · Harbor" }

export default async function Dashboard() {
  // The proxy checks the session too. A page that shows data of a user must not rely on that.
  const { user } = await requireSession()
  const berths = berthsOf(user.id)
  return (
    <section>
      <h1>Your berths</h1>
      {berths.length === 0 && <p>You have no berth yet.</p>}
      <ul className="list">
        {berths.map((boat) => (
          <li key={boat}>{boat}</li>
        ))}
      </ul>
      <form action={book} className="fields">
        <label>
          Name of the boat
          <input name="boat" maxLength={60} required />
        </label>
        <button>Book a berth</button>
      </form>
      <h2>Leaving?</h2>
      <p>
        <Link href="/dashboard/release" prefetch={false}>
          Release your berths
        </Link>
      </p>
    </section>
  )
}

/** Anyone can call a Server Action, so it checks the session and what it gets. */
async function book(form: FormData) {
  "use server"
  const { user } = await requireSession()
  const boat = form.get("boat")
  if (typeof boat === "string" && boat.trim() !== "") bookBerth(user.id, boat.trim().slice(0, 60))
  revalidatePath("/dashboard")
}
