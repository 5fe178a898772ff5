import { accepts } from "../companion.js"

function load(): never {
  throw new TypeError("modules: use the Node.js runtime")
}

/** Middleware bundles of Next.js include what is behind `import()`. */
export const loadSeam: typeof load & { readonly accepts: typeof accepts } = Object.assign(load, { accepts })
