import type { Metadata } from "next"
import { redirect } from "next/navigation"
import { requireSession } from "@/auth"
import { releaseBerths } from "@/database"
import { requireSecondFactor } from "@/second-factor"

export const metadata: Metadata = { title: "Release your berths · Harbor" }

const path = "/dashboard/release"

export default async function Release() {
  await requireSession()
  await requireSecondFactor(path)
  return (
    <section className="panel">
      <h1>Release your berths</h1>
      <p>Other boats can have them at once.</p>
      <form action={release}>
        <button>Release all</button>
      </form>
    </section>
  )
}

/** The page asked. The action asks too, because anyone can call it without the page. */
async function release() {
  "use server"
  const { user } = await requireSession()
  await requireSecondFactor(path)
  releaseBerths(user.id)
  redirect("/dashboard")
}
