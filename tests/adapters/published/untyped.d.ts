// What the tests use of packages without types.

declare module "pouchdb" {
  interface Database {
    destroy(): Promise<void>
  }
  interface Constructor {
    new (name: string, options: { adapter: string }): Database
    plugin(plugin: unknown): Constructor
  }
  const PouchDB: Constructor
  export default PouchDB
}

declare module "pouchdb-adapter-memory" {
  const plugin: unknown
  export default plugin
}

declare module "pouchdb-find" {
  const plugin: unknown
  export default plugin
}
