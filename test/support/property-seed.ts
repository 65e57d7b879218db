import fc from 'fast-check';

/**
 * Properties draw the same cases in every run, so that a failure is one of the change that it comes with. `PROPERTY_SEED`
 * draws others; a test that names its own seed keeps it.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_201) });
