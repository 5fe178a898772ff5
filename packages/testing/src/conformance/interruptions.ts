import { arrive, complete, createUser, enroll, newPerson, type Person } from "./person.js"
import type { ModuleSubject } from "./subject.js"
import { type Site, siteOf } from "./site.js"
import type { Moment } from "./watched-records.js"

/** A write failed while a user did something. The database works again. */
export interface Interruption {
  readonly site: Site
  /** What happened, for messages. */
  readonly what: string
  readonly step: Step
  readonly person: Person
  /** What the step threw. */
  readonly error: unknown
}

export type Step = "enroll" | "sign in" | "revoke"

const steps: readonly Step[] = ["enroll", "sign in", "revoke"]

/** No step of a user has more writes. */
const maxWrites = 100

/** Every write of the module in every step, before and after it took place, each in an application of its own. */
export async function* interruptions(subject: ModuleSubject): AsyncGenerator<Interruption> {
  for (const step of steps) {
    for (const when of ["before", "after"] as const) {
      for (let write = 1; write <= maxWrites; write++) {
        const interrupted = await interrupt(subject, step, write, when)
        if (interrupted === undefined) break
        yield interrupted
      }
    }
  }
}

async function interrupt(
  subject: ModuleSubject,
  step: Step,
  write: number,
  when: Moment,
): Promise<Interruption | undefined> {
  const site = await siteOf(subject)
  const start = step === "enroll" ? await beginner(site) : await newPerson(site)
  const hasFailed = site.records.failAt(write, when)
  let person = start
  let error: unknown
  try {
    if (step === "enroll") person = await enroll(site, start.user, start.browser)
    else if (step === "sign in") await complete(site, start)
    else await site.server.revoke(start.user.id, subject.revokeReason)
  } catch (thrown) {
    error = thrown ?? new Error("undefined was thrown")
  }
  if (hasFailed()) return { site, step, person, error, what: `${step}: write ${write} failed ${when} it took place` }
  if (error !== undefined) throw error
  return undefined
}

async function beginner(site: Site): Promise<Person> {
  const user = await createUser(site)
  return { user, browser: await arrive(site, user) }
}
