// The bill of materials of the product, in CycloneDX: every library and runtime with version, licence and hash, from the lock file.
import { lockedPackages, productVersion, run } from '../pack/repository.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

export interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export function readSbom(): Sbom {
  // Not with --omit=dev: it also leaves out what both the product and a tool use.
  const sbom = JSON.parse(
    run('npm sbom --sbom-format=cyclonedx --sbom-type=application --package-lock-only'.split(' ')),
  ) as Sbom;
  const locked = new Set(lockedPackages().map(({ name, version }) => `${name}@${version}`));
  const own = /^(tickwire|@tickwire\/\w+)$/;
  const components = sbom.components.filter(({ name, version }) => own.test(name) || locked.has(`${name}@${version}`));
  const refs = new Set([sbom.metadata.component, ...components].map((component) => component['bom-ref']));
  const version = productVersion();
  return {
    ...sbom,
    // npm names the product after its folder.
    metadata: {
      ...sbom.metadata,
      component: { ...sbom.metadata.component, name: 'tickwire', version },
    },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
}
