import { auth } from "../../auth"

/** Reports the time of `auth()` in a server component. */
export default async function Page() {
  const since = performance.now()
  const session = await auth()
  const time = performance.now() - since
  return <p>{`${session?.user?.name} in ${time} ms`}</p>
}
