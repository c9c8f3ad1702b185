// A worker whose model cannot be loaded.
throw new Error('the model file is damaged');
