/** Middleware bundles of Next.js include what is behind `import()`. */
export function loadSeam(): never {
  throw new TypeError("modules: use the Node.js runtime")
}
