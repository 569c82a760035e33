" With https://github.com/prabirshrestha/vim-lsp, in .vimrc.
if executable('kls')
  augroup kls
    autocmd!
    autocmd User lsp_setup call lsp#register_server({
          \ 'name': 'kls',
          \ 'cmd': {info -> ['kls', 'lsp']},
          \ 'allowlist': ['yaml', 'json'],
          \ 'root_uri': {info -> lsp#utils#path_to_uri(lsp#utils#find_nearest_parent_file_directory(
          \     lsp#utils#get_buffer_path(), ['.kls.yaml', '.git/']))},
          \ })
  augroup END
endif
