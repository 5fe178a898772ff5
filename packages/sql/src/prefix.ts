import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  SchemableIdentifierNode,
  type UnknownRow,
} from "kysely"

/** Adds a prefix to the names of all tables and indexes. */
export class TablePrefix implements KyselyPlugin {
  readonly #transformer: Prefixer

  constructor(prefix: string) {
    this.#transformer = new Prefixer(prefix)
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node)
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

class Prefixer extends OperationNodeTransformer {
  readonly #prefix: string

  constructor(prefix: string) {
    super()
    this.#prefix = prefix
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    return SchemableIdentifierNode.create(this.#prefix + node.identifier.name)
  }
}
