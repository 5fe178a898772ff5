import { InvalidConfig } from "../errors.js"
import type { SessionContext } from "../model/auth.js"
import { seamLoader } from "../model/symbols.js"

type Modules = Pick<SessionContext, "modules">

/** Whether there are modules that `defineModule` made. */
export function hasSeam(auth: Modules): boolean {
  return loaderIn(auth) !== undefined
}

/** What `seam.ts` exports, for files that it imports itself. Others use `seamOf`. */
export async function loadSeam(auth: Modules): Promise<unknown> {
  const load = loaderIn(auth)
  if (load === undefined) throw new InvalidConfig("modules: None was made with `defineModule`. Make them with it")
  return load()
}

function loaderIn({ modules }: Modules): (() => Promise<unknown>) | undefined {
  return modules.find((module) => module[seamLoader] !== undefined)?.[seamLoader]
}
